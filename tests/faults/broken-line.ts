/** A source line to break on purpose, which a test must detect. `npm run faults:prove` runs all of them. */
export interface BrokenLine {
  fault: string
  /** The test file in this folder, and part of the test's name unless the whole file is meant. */
  test: string
  name?: string
  /** The source file, and text that occurs exactly once in it. */
  file: string
  from: string
  to: string
  /** What goes wrong with the broken line. */
  breaks: string
}
