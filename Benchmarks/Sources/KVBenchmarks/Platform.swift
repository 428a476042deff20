#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Returns the processor time of this thread in seconds, so that other programs on the machine count less.
@inline(never)
func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Prints a line at once, also into a pipe.
func report(_ line: String) {
  print(line)
  fflush(nil)
}

/// Prints a sentence on the standard error stream and ends the program.
func fail(_ sentence: String, status: Int32 = 1) -> Never {
  let line = Array((sentence + "\n").utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(status)
}
