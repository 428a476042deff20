@_exported import KVBinding
