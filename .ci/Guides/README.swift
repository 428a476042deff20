import KVBinding

//@ skip .package(
// Lines of a manifest.
