"""How much memory a local server may take: a modest share of the machine's."""

from dataclasses import dataclass
from typing import Self

import psutil

_SHARE = 8
_MEBIBYTE = 2**20


@dataclass(frozen=True)
class Memory:
    """Sizes in MiB."""

    heap: int
    page_cache: int

    @classmethod
    def of_this_machine(cls) -> Self:
        """An eighth of the memory each, between 512 MiB (heap), 256 MiB (cache) and 2 GiB."""
        share = psutil.virtual_memory().total // _MEBIBYTE // _SHARE
        return cls(heap=min(max(share, 512), 2048), page_cache=min(max(share, 256), 2048))

    def settings(self) -> dict[str, str]:
        """The same as ``neo4j.conf`` names them."""
        return {
            "server.memory.heap.max_size": f"{self.heap}m",
            "server.memory.pagecache.size": f"{self.page_cache}m",
        }
