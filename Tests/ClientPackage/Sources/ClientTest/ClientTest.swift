import AsyncShapes
import Gallop
import Glibc
import PipelineShapes
import RendererShapes
import Shapes
import StreamShapes

/// Uses every noncopyable type of the library in the ways in which clients do. The build is part of the test:
/// the compiler has crashed on release builds of such clients.
@main struct ClientTest {
  static func main() async throws {
    let file = GIFBytes.threeFrames
    var failures = 0
    let kinds = [
      ("GIFStream", StreamShapeList.all), ("FrameRenderer", RendererShapeList.all),
      ("FramePipeline", PipelineShapeList.all), ("asynchronous", AsyncShapeList.all),
    ]
    for (kind, shapes) in kinds {
      for shape in shapes {
        let found = (try? await shape.frameCount(file)) ?? -1
        guard found != GIFBytes.frameCount else { continue }
        failures += 1
        print("FAIL \(kind), \(shape.name): \(found) frames instead of \(GIFBytes.frameCount)")
      }
    }
    failures += await failuresOfLoaders(file)
    guard failures == 0 else { exit(1) }
    print("client test: \(kinds.map(\.1.count).reduce(0, +)) shapes and a loader passed")
  }

  /// A client's own loader puts its bytes into a sink, which holds a stream.
  private static func failuresOfLoaders(_ file: [UInt8]) async -> Int {
    let states = LoadingStates(source: "client") { sink in
      sink.announce(byteCount: Int64(file.count))
      sink.receive(file.span)
      sink.finish()
    }
    let broken = LoadingStates(source: "client") { sink in
      sink.receive(file.span)
      sink.fail(GIFLoadingError(.cutOff, source: "client"))
    }
    var failures = 0
    do {
      if try await states.finalImage().frameCount != GIFBytes.frameCount { failures += 1 }
    } catch {
      print("FAIL loader: \(error)")
      failures += 1
    }
    do {
      _ = try await broken.finalImage()
      failures += 1
    } catch {
      if error.partialImage?.frameCount != GIFBytes.frameCount { failures += 1 }
    }
    return failures
  }
}
