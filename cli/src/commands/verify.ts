import { type Refusal, verifyWebhook, WebhookVerificationError } from '@delivery-dispatch/sdk'
import type { Command } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { needed, textOf } from '../input.ts'

const ADVICE: Readonly<Record<Refusal, string>> = {
  signature_missing: 'Pass the header on: --header "X-Service-Signature: …". A proxy may take unknown headers off.',
  signature_malformed: 'A v2 signature needs X-Service-Event-Id too; pass both as they came.',
  signature_wrong:
    'Compare the secret with the one of the endpoint, and the body byte for byte: a framework that parses and writes it again changes it.',
  too_old:
    'It is an old one sent again, or the clock of this machine is wrong. To look at an old one: --tolerance SECONDS.',
  too_new: 'The clock of this machine is behind.',
  body_malformed: 'The signature holds over a body that is not JSON.',
}

export const verify: Command = {
  usage: 'verify FILE',
  summary:
    'Say whether a webhook is ours, and if not, which part is wrong. FILE is the body as it came, - standard input',
  options: {
    header: {
      type: 'string',
      value: '"NAME: VALUE; NAME: VALUE"',
      text: 'The headers that came with it, one a line or with ; between them',
    },
    'secret-file': {
      type: 'string',
      value: 'FILE',
      text: 'The secret of the endpoint; DISPATCH_WEBHOOK_SECRET unless given',
    },
    tolerance: { type: 'string', value: 'SECONDS', text: 'How old it may be; 300 unless given' },
  },
  async run({ output, env }, [file], values) {
    const body = textOf(needed(file, 'FILE', this.usage))
    const secret = values['secret-file']
      ? textOf(String(values['secret-file'])).toString().trim()
      : env['DISPATCH_WEBHOOK_SECRET']
    if (!secret)
      throw new Failure('The secret lacks: set DISPATCH_WEBHOOK_SECRET, or name a file by --secret-file.', EXIT.usage)
    const headers = Object.fromEntries(
      String(values['header'] ?? '')
        .split(/[;\n]/)
        .map((pair) => [pair.slice(0, pair.indexOf(':')).trim(), pair.slice(pair.indexOf(':') + 1).trim()])
        .filter(([name]) => name !== ''),
    )
    try {
      const toleranceSeconds = values['tolerance'] ? Number(values['tolerance']) : undefined
      const event = await verifyWebhook(new Uint8Array(body), headers, { secret, toleranceSeconds })
      output.show(
        { valid: true, event: event.event, event_id: event.event_id },
        `${output.paint('green', 'valid')}  ${event.event}  ${event.event_id}`,
      )
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      output.show(
        { valid: false, reason: error.reason },
        `${output.paint('red', error.reason)}  ${error.message}`,
        ADVICE[error.reason],
      )
      throw new Failure('', EXIT.refused)
    }
  },
}
