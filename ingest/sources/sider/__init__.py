"""SIDER 4, the side effect resource."""
