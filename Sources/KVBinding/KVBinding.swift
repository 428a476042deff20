@_exported import KVCore
