/** What a command ends with. */
export const EXIT = { done: 0, refused: 1, usage: 2, noAnswer: 3, interrupted: 130 } as const

/** Ends the command with a line that says what to do. */
export class Failure extends Error {
  readonly exit: number

  constructor(message: string, exit: number = EXIT.refused) {
    super(message)
    this.exit = exit
  }
}
