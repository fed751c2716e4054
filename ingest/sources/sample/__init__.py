"""medkg's own sample."""
