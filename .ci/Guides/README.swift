//@ skip .package(
// Lines of a manifest.
