import Testing

@testable import KVTestSupport
