import Testing
@testable import KVBinding
