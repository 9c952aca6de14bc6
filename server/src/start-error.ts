/** Something the operator has to mend before Neptune can start, said in one line. */
export class StartError extends Error {
  override name = 'StartError'
}
