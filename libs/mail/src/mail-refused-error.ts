/** The provider refuses this mail for good: repeating it would change nothing. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError'
  readonly status: number

  constructor(status: number, reason: string) {
    super(`the mail provider refused the mail (${status}): ${reason}`)
    this.status = status
  }
}
