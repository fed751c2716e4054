"""Adagrad that touches only the rows of a table which a step has looked up.

A row that a step does not touch has gradient 0, and by that Adagrad leaves it as it is (Duchi et
al. 2011): the weights are those of the dense step, in time and memory of the touched rows.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional


class TouchedRows:
    """Looks rows up such that the table's gradient has those rows alone.

    PyTorch's own sparse gradients have a row once for each time that it was looked up, and
    sorting them out takes a quarter of a step.
    """

    def __init__(self, table: Tensor) -> None:
        self._table = table
        self._there = torch.zeros(len(table), dtype=torch.bool, device=table.device)
        self._places = torch.zeros(len(table), dtype=torch.int64, device=table.device)

    def __call__(self, asked: Tensor) -> Tensor:
        """Rows by their positions, shape (asked, dim); the gradient reaches the table."""
        self._there[asked] = True
        touched = self._there.nonzero().view(-1)
        self._there[touched] = False
        self._places[touched] = torch.arange(len(touched), device=touched.device)
        rows = self._table.detach()[touched].requires_grad_()

        def keep(gradient: Tensor) -> None:
            self._table.grad = torch.sparse_coo_tensor(
                touched[None], gradient, self._table.shape, is_coalesced=True
            )

        rows.register_hook(keep)
        return functional.embedding(self._places[asked], rows)


class RowAdagrad(torch.optim.Adagrad):
    """Adagrad that takes a sparse gradient, each row once, where it is; others as Adagrad does."""

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Change the weights by their gradients; a closure is not taken."""
        for group in self.param_groups:
            for table in group["params"]:
                if table.grad is not None and table.grad.is_sparse:
                    self._step_rows(table, table.grad, group)
                    table.grad = None
        super().step(closure)

    def _step_rows(self, table: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        touched, rows = gradient.indices()[0], gradient.values()
        sums = self.state[table]["sum"]
        summed = sums[touched].addcmul_(rows, rows)
        sums[touched] = summed
        step = rows / summed.sqrt_().add_(group["eps"])
        table.index_add_(0, touched, step, alpha=-group["lr"])
