#if canImport(Combine)
  import KVCore

  // Apart from the publisher, whose code is also that of the one over OpenCombine in Examples.
  extension KVPublisher: Plumbing {}
#endif
