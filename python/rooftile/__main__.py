"""gemm-tune: `python -m rooftile search list.txt --store=h200.store`."""

from ._tool import main

main()
