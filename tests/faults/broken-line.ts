/** One line of the product, broken on purpose: the test must notice. `npm run faults:prove` tries them all. */
export interface BrokenLine {
  fault: string
  /** The file of the test in this folder, and part of the test's name if not all of the file is meant. */
  test: string
  name?: string
  /** The file of the product, and what stands there exactly once. */
  file: string
  from: string
  to: string
  /** What the broken line does. */
  breaks: string
}
