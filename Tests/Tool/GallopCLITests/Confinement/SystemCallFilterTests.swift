import CLinux
import Glibc
import Testing

@testable import GallopCLI

@Suite("Filters of system calls")
struct SystemCallFilterTests {
  /// A system call as the kernel shows it to a filter.
  private struct Call {
    var number: Int32
    var arguments: [UInt64] = []
    var architecture: UInt32 = nativeArchitecture

    #if arch(arm64)
      static let nativeArchitecture: UInt32 = 0xC000_00B7
    #else
      static let nativeArchitecture: UInt32 = 0xC000_003E
    #endif

    /// The word at an offset in `struct seccomp_data`.
    func word(at offset: UInt32) -> UInt32 {
      switch offset {
      case 0: return UInt32(bitPattern: number)
      case 4: return architecture
      default:
        let place = Int(offset - 16) / 8
        let argument = place < arguments.count ? arguments[place] : 0
        return UInt32(truncatingIfNeeded: offset % 8 == 0 ? argument : argument >> 32)
      }
    }
  }

  /// What the kernel does with a call: zero to run it, otherwise the error.
  private func error(of call: Call, in filter: SystemCallFilter) throws -> Int32 {
    let program = try #require(filter.program)
    var (place, value) = (0, UInt32(0))
    for _ in program {
      let step = program[place]
      var passes = false
      switch Int32(step.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        value = call.word(at: step.k)
        place += 1
        continue
      case BPF_RET | BPF_K: return step.k == SECCOMP_RET_ALLOW ? 0 : Int32(step.k & 0xFFFF)
      case BPF_JMP | BPF_JEQ | BPF_K: passes = value == step.k
      case BPF_JMP | BPF_JGE | BPF_K: passes = value >= step.k
      case BPF_JMP | BPF_JSET | BPF_K: passes = value & step.k != 0
      default: Issue.record("code \(step.code)")
      }
      place += 1 + Int(passes ? step.jt : step.jf)
    }
    Issue.record("the program does not end")
    return -1
  }

  @Test("What reading and writing takes is allowed, with any arguments")
  func allowed() throws {
    let both = SystemCallFilter.programs.and(.sockets)
    for number in [
      SYS_read, SYS_write, SYS_openat, SYS_mmap, SYS_munmap, SYS_futex, SYS_exit_group,
    ] {
      #expect(try error(of: Call(number: number, arguments: [0x5412, 0x5412]), in: both) == 0)
    }
  }

  @Test("Programs, processes and ways around are refused, and sockets where no URL is loaded")
  func refused() throws {
    for number in [SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_writev, SYS_bpf, SYS_mount, 425, 438]
    {
      #expect(try error(of: Call(number: number), in: .programs) == EPERM)
    }
    for number in [SYS_socket, SYS_connect, SYS_bind, SYS_accept4] {
      #expect(try error(of: Call(number: number), in: .programs) == 0)
      #expect(try error(of: Call(number: number), in: .sockets) == EPERM)
      #expect(try error(of: Call(number: number), in: .programs.and(.sockets)) == EPERM)
    }
  }

  @Test("A thread begins by clone, a process does not, and clone3 is not there")
  func threads() throws {
    let thread: UInt64 = 0x3D_0F00
    #expect(try error(of: Call(number: SYS_clone, arguments: [thread]), in: .programs) == 0)
    #expect(try error(of: Call(number: SYS_clone, arguments: [17]), in: .programs) == EPERM)
    // The flag in the upper half is no flag.
    #expect(try error(of: Call(number: SYS_clone, arguments: [0x0001_0000 << 32]), in: .programs) == EPERM)
    #expect(try error(of: Call(number: 435, arguments: [thread]), in: .programs) == ENOSYS)
  }

  @Test(
    "A terminal is asked for its size, but takes no input from here", arguments: [UInt64(0x5412), 0x541C])
  func terminals(request: UInt64) throws {
    #expect(try error(of: Call(number: SYS_ioctl, arguments: [0, 0x5413]), in: .programs) == 0)
    #expect(try error(of: Call(number: SYS_ioctl, arguments: [0, request]), in: .programs) == EPERM)
    #expect(try error(of: Call(number: SYS_ioctl, arguments: [request, 0x5413]), in: .programs) == 0)
    // The kernel looks at the lower half of the request.
    #expect(
      try error(of: Call(number: SYS_ioctl, arguments: [0, request | 1 << 40]), in: .programs) == EPERM)
  }

  @Test("Limits and signals are for this process alone")
  func others() throws {
    let own = UInt64(getpid())
    for call in [SYS_prlimit64, SYS_kill, SYS_tgkill] {
      #expect(try error(of: Call(number: call, arguments: [own, 9]), in: .programs) == 0)
      #expect(try error(of: Call(number: call, arguments: [own + 1, 9]), in: .programs) == EPERM)
    }
    #expect(try error(of: Call(number: SYS_prlimit64, arguments: [0, 9]), in: .programs) == 0)
    // To the process group, and to all.
    #expect(try error(of: Call(number: SYS_kill, arguments: [0, 9]), in: .programs) == EPERM)
    #expect(
      try error(of: Call(number: SYS_kill, arguments: [UInt64(bitPattern: -1), 9]), in: .programs) == EPERM)
  }

  @Test("Files keep their modes and times, and processes share no memory")
  func attributes() throws {
    for number in [
      SYS_fchmodat, SYS_fchownat, SYS_utimensat, SYS_truncate, SYS_shmget, SYS_mq_open, 428, 452,
    ] {
      #expect(try error(of: Call(number: number), in: .programs) == EPERM)
    }
    // By descriptor an output gets the mode of the file that it replaces.
    for number in [SYS_fchmod, SYS_fchown, SYS_ftruncate] {
      #expect(try error(of: Call(number: number), in: .programs) == 0)
    }
  }

  @Test("Other interfaces to the kernel are refused as a whole")
  func foreignInterfaces() throws {
    #expect(try error(of: Call(number: SYS_read, architecture: 0x4000_0003), in: .programs) == EPERM)
    #if arch(x86_64)
      #expect(try error(of: Call(number: SYS_read | 0x4000_0000), in: .programs) == EPERM)
    #endif
  }
}
