internal import CLinux
internal import Glibc

/// A program by which the kernel refuses system calls (seccomp, in the language of packet filters).
///
/// Refused calls fail with EPERM, as for lack of rights. All others are allowed: a list of those that a C
/// library may need would break with its next version.
struct SystemCallFilter {
  /// Calls that are refused, by number.
  private let refused: [Int32]

  /// What a decoder never needs: see the groups.
  static let programs = SystemCallFilter(refused: programStart + reach + sharing + attributes + system)

  /// Makes sockets, or uses them for new connections.
  static let sockets = SystemCallFilter(refused: [
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
  ])

  // Numbers from 424 on are the same on all architectures; older headers have no names for them.

  private static let programStart: [Int32] = [SYS_execve, SYS_execveat] + processes
  /// Reaches into other processes, or changes how they run.
  private static let reach: [Int32] = [
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_migrate_pages, SYS_move_pages,
    SYS_setpriority, SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_setattr, SYS_sched_setaffinity,
    SYS_ioprio_set, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
    424,  // pidfd_send_signal
    434,  // pidfd_open
    438,  // pidfd_getfd
    440,  // process_madvise
    448,  // process_mrelease
  ]
  /// Memory, queues and locks that processes share by number or name.
  private static let sharing: [Int32] = [
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget, SYS_semop,
    SYS_semtimedop, SYS_semctl, SYS_mq_open, SYS_mq_unlink,
  ]
  /// Changes and watches files by their paths, which Landlock leaves alone. By descriptor an output gets its
  /// mode.
  private static let attributes: [Int32] =
    [
      SYS_fchmodat, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr,
      SYS_utimensat, SYS_truncate, SYS_inotify_init1, SYS_inotify_add_watch, SYS_fanotify_init,
      SYS_fanotify_mark,
      452,  // fchmodat2
      463,  // setxattrat
      466,  // removexattrat
      469,  // file_setattr
    ] + olderAttributes
  /// Changes the system, or leads around other rules: io_uring does what other calls are refused.
  private static let system: [Int32] =
    [
      SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_mount,
      SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_name_to_handle_at,
      SYS_open_by_handle_at, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot,
      SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_personality, SYS_sethostname, SYS_setdomainname,
      SYS_clock_settime, SYS_settimeofday, SYS_clock_adjtime, SYS_adjtimex, SYS_syslog, SYS_vhangup,
      425, 426, 427,  // io_uring_setup, io_uring_enter, io_uring_register
      428, 429, 430, 431, 432, 433,  // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick
      442, 443,  // mount_setattr, quotactl_fd
      467,  // open_tree_attr
    ] + olderSystem

  /// Starts a thread or a process with its flags in memory, which no filter sees.
  private static let clone3: Int32 = 435

  #if arch(x86_64)
    private static let processes: [Int32] = [SYS_fork, SYS_vfork]
    private static let olderAttributes: [Int32] = [
      SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_inotify_init,
    ]
    private static let olderSystem: [Int32] = [SYS_iopl, SYS_ioperm, SYS_kexec_file_load]
    /// AUDIT_ARCH_X86_64.
    private static let architecture: UInt32 = 0xC000_003E
    /// From here on numbers mean the calls of another interface (x32) to the same kernel.
    private static let firstForeignCall: UInt32? = 0x4000_0000
  #elseif arch(arm64)
    private static let processes: [Int32] = []
    private static let olderAttributes: [Int32] = []
    private static let olderSystem: [Int32] = []
    /// AUDIT_ARCH_AARCH64.
    private static let architecture: UInt32 = 0xC000_00B7
    private static let firstForeignCall: UInt32? = nil
  #else
    private static let processes: [Int32] = []
    private static let olderAttributes: [Int32] = []
    private static let olderSystem: [Int32] = []
    private static let architecture: UInt32? = nil
    private static let firstForeignCall: UInt32? = nil
  #endif

  /// Both filters in one.
  func and(_ other: SystemCallFilter) -> SystemCallFilter {
    SystemCallFilter(refused: refused + other.refused)
  }

  /// Whether the calls of this architecture are known here.
  static var isKnown: Bool {
    let known: UInt32? = architecture
    return known != nil
  }

  /// The instructions; nil on an architecture whose calls are not known here.
  var program: [sock_filter]? {
    let known: UInt32? = Self.architecture
    guard let architecture = known else { return nil }
    var program = [load(.architecture), test(Code.isEqual, architecture, skip: 1, otherwise: 0), refusal]
    program.append(load(.number))
    if let first = Self.firstForeignCall { program += [test(Code.isAtLeast, first), refusal] }
    for call in refused { program += [test(Code.isEqual, UInt32(call)), refusal] }
    // The C library then takes `clone`, whose flags can be seen.
    program += [test(Code.isEqual, UInt32(Self.clone3)), answer(SECCOMP_RET_ERRNO, ENOSYS)]
    program += onlyFor(
      SYS_clone,
      [load(.firstArgument), test(Code.hasBits, Self.threadFlag, skip: 1, otherwise: 0), refusal, allow])
    // Limits of others, and signals to others. This process has one number for as long as it runs.
    let own = UInt32(bitPattern: getpid())
    program += onlyFor(
      SYS_prlimit64,
      [
        load(.firstArgument), test(Code.isEqual, 0, skip: 2, otherwise: 0),
        test(Code.isEqual, own, skip: 1, otherwise: 0),
      ]
        + [refusal, allow])
    for call in [SYS_kill, SYS_tgkill] {
      program += onlyFor(
        call, [load(.firstArgument), test(Code.isEqual, own, skip: 1, otherwise: 0), refusal, allow])
    }
    program += onlyFor(
      SYS_ioctl,
      [load(.secondArgument)]
        + Self.terminalInput.flatMap { [test(Code.isEqual, $0), refusal] } + [allow])
    return program + [allow]
  }

  /// CLONE_THREAD: without it a process begins.
  private static let threadFlag: UInt32 = 0x0001_0000
  /// TIOCSTI and TIOCLINUX, which push characters into the input of a terminal that is open.
  private static let terminalInput: [UInt32] = [0x5412, 0x541C]

  // MARK: Instructions

  /// Offsets in `struct seccomp_data`; of arguments the lower half.
  private enum Field: UInt32 {
    case number = 0
    case architecture = 4
    case firstArgument = 16
    case secondArgument = 24
  }

  /// Codes of classic BPF, from `linux/bpf_common.h`.
  private enum Code {
    static let load = UInt16(BPF_LD | BPF_W | BPF_ABS)
    static let isEqual = UInt16(BPF_JMP | BPF_JEQ | BPF_K)
    static let isAtLeast = UInt16(BPF_JMP | BPF_JGE | BPF_K)
    static let hasBits = UInt16(BPF_JMP | BPF_JSET | BPF_K)
    static let finish = UInt16(BPF_RET | BPF_K)
  }

  private func load(_ field: Field) -> sock_filter {
    sock_filter(code: Code.load, jt: 0, jf: 0, k: field.rawValue)
  }

  /// Goes on behind so many instructions, by whether the loaded value passes; by default the next one is for
  /// a value that does.
  private func test(_ code: UInt16, _ value: UInt32, skip: UInt8 = 0, otherwise: UInt8 = 1) -> sock_filter {
    sock_filter(code: code, jt: skip, jf: otherwise, k: value)
  }

  private func answer(_ action: UInt32, _ error: Int32) -> sock_filter {
    sock_filter(code: Code.finish, jt: 0, jf: 0, k: action | UInt32(error))
  }

  private var refusal: sock_filter { answer(SECCOMP_RET_ERRNO, EPERM) }
  private var allow: sock_filter { answer(SECCOMP_RET_ALLOW, 0) }

  /// Instructions for one call, of which the last one ends the program: the number is no longer loaded there.
  private func onlyFor(_ call: Int32, _ body: [sock_filter]) -> [sock_filter] {
    [test(Code.isEqual, UInt32(call), skip: 0, otherwise: UInt8(body.count))] + body
  }
}
