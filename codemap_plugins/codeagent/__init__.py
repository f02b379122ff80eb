"""The tools of the codeagent contract, over the index and the checkout."""
