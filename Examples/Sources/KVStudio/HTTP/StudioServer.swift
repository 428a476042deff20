import FlyingSocks
import Foundation
import Synchronization

/// Serves the page and its parts on the loopback address.
///
/// ```swift
/// let server = try StudioServer(try Studio(directory: directory))
/// print(server.address)
/// try await server.run()
/// ```
public final class StudioServer: Sendable {
  /// The limits of a server.
  public struct Limits: Sendable {
    /// How many connections may be open at once.
    ///
    /// The oldest one that has not sent its request yet makes room for a further one. If there is none, that is refused.
    public var connections = 64
    /// How long a request may take to arrive, and an answer to be taken.
    public var timeout = Duration.seconds(10)
    /// How many bytes a body may have.
    public var body = 1 << 20

    /// The limits that suffice for a page in a few windows.
    public init() {}
  }

  private let studio: Studio
  private let gate: Gate
  private let limits: Limits
  private let listener: Socket
  private let open: Mutex<OpenConnections>
  private let wrongTokens = Mutex(WrongTokens())
  private let clock: any Clock<Duration>
  /// The time since the start of the server.
  private let time: @Sendable () -> Duration

  /// Begins to listen on a port of 127.0.0.1.
  ///
  /// - Parameters:
  ///   - studio: What is served.
  ///   - port: The port; 0 for any that is free.
  ///   - token: The secret in the address; nil for a random one.
  ///   - limits: The limits.
  /// - Throws: The error of the system if the port cannot be used.
  public convenience init(
    _ studio: Studio, port: UInt16 = 0, token: String? = nil, limits: Limits = Limits()
  ) throws {
    try self.init(studio, port: port, token: token, limits: limits, clock: ContinuousClock())
  }

  /// Begins to listen, with a clock by which the answers to wrong tokens wait.
  init(_ studio: Studio, port: UInt16 = 0, token: String?, limits: Limits, clock: any Clock<Duration>) throws {
    // A page that has gone is an error of the write, not the end of the program.
    signal(SIGPIPE, SIG_IGN)
    listener = try Socket(domain: AF_INET)
    try listener.setValue(true, for: .localAddressReuse)
    // Connections inherit it: what the system keeps for a reader that takes nothing has a limit, too.
    try listener.setValue(Int32(128 << 10), for: .sendBufferSize)
    try listener.bind(to: .inet(ip4: "127.0.0.1", port: port))
    try listener.listen()
    guard case .ip4(_, let port) = try listener.sockname() else { throw SocketError.unsupportedAddress }
    self.studio = studio
    self.limits = limits
    self.clock = clock
    time = Self.time(of: clock)
    let descriptors = Self.descriptors()
    // The others are for connections that are refused, which takes one as well.
    open = Mutex(OpenConnections(limit: min(limits.connections, descriptors * 3 / 4), descriptors: descriptors))
    gate = Gate(token: token ?? Gate.randomToken(), port: port, files: studio.assets.paths)
  }

  /// The port on which the server listens.
  public var port: UInt16 { gate.port }

  /// The address to open in a browser, with the token.
  public var address: String { "http://127.0.0.1:\(gate.port)/?token=\(gate.token)" }

  /// Serves until the task is cancelled.
  public func run() async throws {
    let pool: some AsyncSocketPool = HTTPPool.make()
    try await pool.prepare()
    let listener = try AsyncSocket(socket: listener, pool: pool)
    defer { try? listener.close() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pool.run() }
      group.addTask { [self] in try await accept(on: listener) }
      group.addTask { [studio] in try await studio.tick() }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func accept(on listener: AsyncSocket) async throws {
    try await withThrowingDiscardingTaskGroup(returning: Void.self) { group in
      let relieve = { [self] in open.withLock { $0.dropOldest() } }
      try await Self.accept(from: { [self] in try await accepted(from: listener) }, relieve: relieve) {
        [self] socket in
        let (number, place) = open.withLock { $0.add(socket.socket) }
        group.addTask { [self] in
          let connection = Connection(socket: socket, timeout: limits.timeout)
          let isRead = place == .dropped ? true : await serve(connection, number, isFull: place == .refused)
          // Its descriptor may soon be that of another one.
          open.withLock { $0.remove(number) }
          await connection.close(draining: !isRead)
          open.withLock { $0.closed() }
        }
      }
    }
  }

  private func accepted(from listener: AsyncSocket) async throws -> AsyncSocket {
    while !open.withLock({ $0.hasRoom() }) { try await Task.sleep(for: .milliseconds(10)) }
    return try await listener.accept()
  }

  /// How many descriptors connections may have.
  ///
  /// 24 are left to the rest of the program: libdispatch ends it when it cannot open a file of the system.
  private static func descriptors() -> Int {
    var limit = rlimit()
    #if canImport(Darwin)
      let result = getrlimit(RLIMIT_NOFILE, &limit)
    #else
      let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #endif
    guard result == 0 else { return 64 }
    return max(Int(clamping: limit.rlim_cur) - 24, 8)
  }

  /// Accepts connections until the task is cancelled, or the listening socket is gone.
  ///
  /// Other errors pass: a connection that was closed before it was accepted, and a lack of descriptors or memory. The
  /// server makes room if it can, waits a little, and goes on.
  static func accept<Connected>(
    from next: () async throws -> Connected, shortest: Duration = .milliseconds(10), relieve: () -> Bool = { false },
    _ serve: (Connected) -> Void
  ) async throws -> Never {
    var wait = shortest
    while true {
      do {
        serve(try await next())
        wait = shortest
      } catch SocketError.failed(_, let code, _) where ![EBADF, EINVAL, ENOTSOCK].contains(code) {
        if relieve() { wait = shortest }
        try await Task.sleep(for: wait)
        wait = min(wait * 2, .seconds(1))
      }
    }
  }

  /// Answers the request of a connection.
  ///
  /// - Returns: Whether all of it was read.
  private func serve(_ connection: Connection, _ number: Int, isFull: Bool) async -> Bool {
    var isRead = false
    do {
      if isFull { throw Refusal(503, "Too many connections are open (\(limits.connections)). Try again.") }
      var readerLimits = RequestReader.Limits()
      readerLimits.body = limits.body
      let check: @Sendable (Request) throws -> Void = { [self] head in
        try gate.check(head)
        open.withLock { $0.letIn(number) }
      }
      if let request = try await connection.request(readerLimits, check: check) {
        isRead = true
        if let proof = try gate.proof(request) {
          try await send(proof, on: connection)
        } else {
          try await send(await studio.respond(to: request), on: connection)
        }
      }
    } catch let refusal as Refusal {
      if refusal.isGuess {
        let wait = wrongTokens.withLock { $0.wait(at: time()) }
        await connection.wait(for: wait, clock)
      }
      try? await send(Response(refusal), on: connection)
    } catch {
      // The other side has gone.
    }
    return isRead
  }

  /// Returns a function for the time since now.
  private static func time(of clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  private func send(_ response: Response, on connection: Connection) async throws {
    switch response.content {
    case .data(let data): try await connection.write(response.head + data)
    case .events(let windows, let position):
      try await connection.write(response.head)
      await EventReader(connection: connection, studio: studio, windows: windows).run(after: position)
    }
  }

  private enum HTTPPool {
    static func make() -> some AsyncSocketPool { SocketPool.make() }
  }
}
