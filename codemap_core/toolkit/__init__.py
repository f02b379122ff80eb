"""What tool families share: arguments of the contract and the budgets of answers.

Nothing of the database is imported before the first call, so that a server lists its tools at once. A third party's tool family may
build on it as the built-in ones do.
"""
