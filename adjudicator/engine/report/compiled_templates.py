"""Templates compiled by earlier commands, in a cache that only the user can write to."""

from __future__ import annotations

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

from adjudicator.engine.report.private_cache import PrivateCache, private_cache

ENVIRONMENT = "2"
"""Rises when templates are compiled differently: with other filters, or other options."""


def template_cache() -> BytecodeCache | None:
    """The cache of compiled templates; None if there is no private place for it: templates are then compiled
    each time.
    """
    cache = private_cache("templates")
    return Compiled(cache) if cache is not None else None


class Compiled(BytecodeCache):
    """Compiled templates, each with its text and the version of Jinja that compiled it."""

    def __init__(self, cache: PrivateCache) -> None:
        self.cache = cache

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fills the bucket if there is an entry for it."""
        code = self.cache.get(f"{bucket.key}.jinja", made_from(bucket))
        if code is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps a compiled template."""
        self.cache.put(f"{bucket.key}.jinja", made_from(bucket), bucket.bytecode_to_string())


def made_from(bucket: Bucket) -> str:
    """Everything that a compiled template was compiled from and with, but for our own version and Python's."""
    return "\n".join((ENVIRONMENT, jinja2.__version__, bucket.key, bucket.checksum))
