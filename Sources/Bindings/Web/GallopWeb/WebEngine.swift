internal import GIFDecoding
internal import GIFTimeline

/// All images and players of the page, and the two blocks through which it talks with them.
struct WebEngine: ~Copyable {
  var bytes = SharedBlock<UInt8>(capacity: 1 << 16, filledWith: 0)
  var numbers = Numbers(capacity: 256, filledWith: 0)
  var images = HandleTable<WebImage>()
  var players = HandleTable<WebPlayer>()
  /// The error of the last call that returned ``Answer/failed``.
  var error: GIFError?

  /// Calls without an answer in numbers, and calls that cannot answer.
  enum Answer {
    static let done: Int32 = 0
    static let noSuchObject: Int32 = -1
    static let failed: Int32 = -2
  }

  /// Answers with what `body` appends to ``numbers``, or with its error.
  mutating func answer(_ body: (inout WebEngine) throws(GIFError) -> Void) -> Int32 {
    numbers.removeAll()
    do throws(GIFError) {
      try body(&self)
      return Int32(clamping: numbers.count)
    } catch {
      self.error = error
      return Answer.failed
    }
  }

  /// Answers with bytes, and how many they are, and with what `body` appends to ``numbers``.
  private mutating func answer(
    bytes append: (inout SharedBlock<UInt8>) -> Void, _ body: (inout Numbers) -> Void = { _ in }
  ) -> Int32 {
    bytes.removeAll()
    numbers.removeAll()
    append(&bytes)
    body(&numbers)
    return Int32(clamping: bytes.count)
  }

  /// Answers with the name of the last error; its frame, offset, value and limit are numbers.
  mutating func lastError() -> Int32 {
    guard let error else { return 0 }
    return answer {
      $0.append(error.code.rawValue)
    } _: {
      $0.append(error.frame)
      $0.append(error.offset)
      $0.append(error.value.map { Double($0) } ?? .nan)
      $0.append(error.limit.map { Double($0) } ?? .nan)
    }
  }

  // MARK: Images

  mutating func append(_ count: Int32, to handle: Int32) -> Int32 {
    guard let image = images[handle] else { return Answer.noSuchObject }
    return answer { engine throws(GIFError) in
      try engine.bytes.withPrefix(Int(count)) { piece throws(GIFError) in try image.append(piece) }
    }
  }

  mutating func finish(_ handle: Int32) -> Int32 {
    guard let image = images[handle] else { return Answer.noSuchObject }
    return answer { _ throws(GIFError) in try image.finish() }
  }

  mutating func info(_ handle: Int32) -> Int32 {
    guard let image = images[handle] else { return Answer.noSuchObject }
    return answer { engine throws(GIFError) in
      if let error = image.error { throw error }
      if let current = image.current { engine.numbers.append(current.image, isComplete: image.isComplete) }
    }
  }

  mutating func frames(_ handle: Int32, _ first: Int32, _ policy: DelayPolicy, _ count: Int32) -> Int32 {
    guard let owner = images[handle], let current = owner.current else { return Answer.noSuchObject }
    let start = min(max(0, Int(first)), current.image.frameCount)
    let end = min(current.image.frameCount, start + min(max(0, Int(count)), 1 << 17))
    return answer { engine in
      for frame in current.image.frames[start..<end] {
        engine.numbers.append(frame, policy: policy)
        engine.numbers.append(owner.status(of: frame.index)?.number ?? -1)
      }
    }
  }

  mutating func palette(_ handle: Int32, _ frame: Int32) -> Int32 {
    guard let current = images[handle]?.current else { return Answer.noSuchObject }
    return answer { engine throws(GIFError) in
      let colors = frame < 0 ? current.image.globalPalette() : try current.image.palette(ofFrame: Int(frame))
      for color in colors ?? [] { engine.numbers.append(Double(color)) }
    }
  }

  mutating func comment(_ handle: Int32, _ index: Int32) -> Int32 {
    guard let comments = images[handle]?.current?.image.metadata.commentTexts,
      comments.indices.contains(Int(index))
    else { return Answer.noSuchObject }
    return answer { $0.append(contentsOf: comments[Int(index)]) }
  }

  mutating func application(_ handle: Int32, _ index: Int32) -> Int32 {
    guard let extensions = images[handle]?.current?.image.metadata.applicationExtensions,
      extensions.indices.contains(Int(index))
    else { return Answer.noSuchObject }
    let found = extensions[Int(index)]
    return answer {
      $0.append(contentsOf: found.identifierBytes)
    } _: {
      $0.append(found.offset)
      $0.append(found.byteCount)
    }
  }

  /// Answers with the diagnostics' frames and offsets; their names go to ``bytes``, each with a line feed.
  mutating func diagnostics(_ diagnostics: [GIFDiagnostic]) -> Int32 {
    bytes.removeAll()
    return answer { engine in
      for diagnostic in diagnostics {
        engine.numbers.append(diagnostic.frame)
        engine.numbers.append(diagnostic.offset)
        engine.bytes.append(diagnostic.code.rawValue)
        engine.bytes.append(10)
      }
    }
  }

  mutating func release(image handle: Int32) -> Int32 {
    images.remove(handle) == nil ? Answer.noSuchObject : Answer.done
  }

  // MARK: Drawing

  /// Draws a frame, and answers with its place in memory if `answers` is true.
  mutating func draw(_ handle: Int32, _ width: Int32, _ height: Int32, _ frame: Int32, answers: Bool) -> Int32
  {
    guard let image = images[handle] else { return Answer.noSuchObject }
    return answer { engine throws(GIFError) in
      let renderer = try image.renderer(Self.size(width, height, of: image), for: Int(frame))
      let status = try renderer.render(Int(frame))
      guard answers else { return }
      try renderer.withPixels(of: Int(frame), status: status) { pixels, size, changed in
        // The page copies the pixels before its next call, and the canvas stands until then.
        let address = unsafe pixels.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        engine.numbers.append(Double(address))
        engine.numbers.append(size.width)
        engine.numbers.append(size.height)
        engine.numbers.append(status.number)
        engine.numbers.append(changed)
      }
    }
  }

  /// Nil for the size of the canvas.
  private static func size(_ width: Int32, _ height: Int32, of image: WebImage) -> PixelSize? {
    guard width > 0, height > 0 else { return nil }
    let size = PixelSize(clampingWidth: Int(width), height: Int(height))
    return size == image.current?.image.size ? nil : size
  }

  // MARK: Players

  mutating func openPlayer(_ handle: Int32, _ settings: WebPlayer.Settings) -> Int32 {
    guard let image = images[handle], let current = image.current else { return Answer.noSuchObject }
    image.playerCount += 1
    return players.insert(WebPlayer(image, current.image, settings: settings))
  }

  mutating func perform(_ command: WebCommand, _ handle: Int32, at now: Double) -> Int32 {
    guard let player = players[handle] else { return Answer.noSuchObject }
    let instant = PlaybackInstant(nanoseconds: Milliseconds.nanoseconds(now))
    let actions = player.perform(command, at: instant)
    return answer { player.report(actions, at: actions?.now ?? instant, to: &$0.numbers) }
  }

  mutating func release(player handle: Int32) -> Int32 {
    guard let player = players.remove(handle) else { return Answer.noSuchObject }
    player.image.playerCount -= 1
    return Answer.done
  }

  // MARK: Figures

  mutating func statistics() -> Int32 {
    var (renderers, canvases, decodes, compressed) = (0, Int64(0), 0, 0)
    for image in images.objects {
      renderers += image.renderers.count
      canvases += image.canvasBytes
      decodes += image.decodes
      compressed += image.current?.image.metadata.byteCount ?? 0
    }
    return answer { engine in
      engine.numbers.append(engine.images.count)
      engine.numbers.append(engine.players.count)
      engine.numbers.append(renderers)
      engine.numbers.append(Double(canvases))
      engine.numbers.append(compressed)
      engine.numbers.append(decodes)
    }
  }
}
