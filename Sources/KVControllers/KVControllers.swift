@_exported import KVBinding
@_exported import KVQuery
