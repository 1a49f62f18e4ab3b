import Measuring

/// The resident memory of the program through the life of a list, in bytes.
///
/// Promised are, while it scrolls, 1.25 times the budget plus 15 MiB, unless the files alone pass the budget;
/// under pressure and after its release, what was resident before it and what is counted, plus 20 MiB.
struct Residence {
  let limitMiB: Int
  let before = residentBytes
  var peak = 0
  /// What the budget counted at the most.
  var held = 0
  var hidden = 0
  /// What the budget counted while the list was hidden.
  var heldHidden = 0
  var underPressure = 0
  /// What the budget counted then: the files in memory, which stay as long as their players.
  var heldUnderPressure = 0
  var released = 0

  init(limitMiB: Int) { self.limitMiB = limitMiB }

  var text: String {
    """
    | | resident, MiB | counted, MiB |
    | --- | --: | --: |
    | before the list | \(before >> 20) | |
    | at the most | \(peak >> 20) | \(held >> 20) |
    | hidden | \(hidden >> 20) | \(heldHidden >> 20) |
    | under critical pressure | \(underPressure >> 20) | \(heldUnderPressure >> 20) |
    | released | \(released >> 20) | |

    """
  }

  var faults: [String] {
    let most = (limitMiB * 5 / 4 + 15) << 20
    let least = before + (20 << 20)
    var faults: [String] = []
    if peak > most, held <= limitMiB << 20 { faults.append("more than \(most >> 20) MiB were resident") }
    let files = least + heldUnderPressure
    if underPressure > files { faults.append("pressure left more than \(files >> 20) MiB resident") }
    if released > least { faults.append("more than \(least >> 20) MiB were resident after the release") }
    return faults
  }
}
