import type { Command } from '../command.ts'
import { needed } from '../input.ts'

export const setEndpoint: Command = {
  usage: 'endpoint set URL',
  summary: 'Have events delivered to an address of yours. The secret that signs them is shown once',
  async run({ output, dispatch }, [given]) {
    const url = needed(given, 'URL', this.usage)
    const endpoint = await dispatch().updateOutboundWebhook({ url, enabled: true })
    output.show(
      endpoint,
      `${output.paint('green', 'Delivered')} to ${url} from now on.`,
      ...(endpoint.secret ? [`Signed with ${output.paint('bold', endpoint.secret)}, which is not shown again.`] : []),
    )
  },
}
