import type { Command } from '../command.ts'
import { secondsOf } from '../duration.ts'
import { needed } from '../input.ts'
import { requireSandbox } from '../sandbox.ts'

export const advanceClock: Command = {
  usage: 'clock advance DURATION',
  summary: 'Let time pass in the sandbox: 30s, 15m, 2h, 3d. Offers end, retries come, quotes expire',
  async run(session, [duration]) {
    requireSandbox(session)
    const answer = await session
      .dispatch()
      .advanceClock({ seconds: secondsOf(needed(duration, 'DURATION', this.usage)) })
    session.output.show(answer, `The clock of the sandbox shows ${answer.now}.`)
  },
}
