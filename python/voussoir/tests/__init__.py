"""Tests of the package: ``pytest --pyargs voussoir``."""
