#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How often the clock was read by the main thread: `instructions.py` has callgrind dump its counts at each reading.
nonisolated(unsafe) var clockReads = 0

/// Returns the processor time of this thread in seconds, so that other programs on the machine count less.
@inline(never)
func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  if Timing.fixedCount != nil { clockReads += 1 }
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Returns how many bytes of memory the process has in use: what the allocator adds, and what it keeps, is counted.
///
/// Elsewhere than on Linux it is the most that the process ever had in use.
@inline(never)
func residentBytes() -> Int {
  if let file = fopen("/proc/self/statm", "r") {
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let fields = line.prefix { $0 != 0 }.split(separator: CChar(UInt8(ascii: " ")))
    let pages = fields.dropFirst().first.flatMap { Int(String(decoding: $0.map(UInt8.init), as: UTF8.self)) }
    return (pages ?? 0) * Int(getpagesize())
  }
  #if canImport(Darwin)
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return Int(usage.ru_maxrss)
  #else
    return 0
  #endif
}

/// Returns the value of a variable of the environment.
func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

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
