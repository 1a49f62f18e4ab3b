internal import Glibc

/// The system's monotonic clock, which no change of the wall clock touches.
package enum MonotonicClock {
  package static var nanoseconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
