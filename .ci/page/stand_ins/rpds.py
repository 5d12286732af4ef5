"""A stand-in for rpds-py: persistent maps, lists and sets as plain Python ones."""


class HashTrieMap(dict):
    @classmethod
    def convert(cls, value):
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key, value):
        return HashTrieMap({**self, key: value})

    def remove(self, key):
        kept = HashTrieMap(self)
        del kept[key]
        return kept

    discard = remove

    def update(self, *others, **more):
        new = HashTrieMap(self)
        for other in others:
            dict.update(new, other)
        dict.update(new, more)
        return new

    def __hash__(self):
        return hash(frozenset(self.items()))


class HashTrieSet(frozenset):
    def insert(self, value):
        return HashTrieSet(self | {value})

    def update(self, *others):
        return HashTrieSet(self.union(*others))


class List(tuple):
    def __new__(cls, *values):
        if len(values) == 1 and not isinstance(values[0], str):
            values = tuple(values[0])
        return tuple.__new__(cls, values)

    def push_front(self, value):
        return List((value, *self))

    @property
    def rest(self):
        return List(self[1:])

    @property
    def first(self):
        return self[0]
