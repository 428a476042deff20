import KVBinding
import KVTestSupport

//@ skip // swift-tools-version
// A manifest.
