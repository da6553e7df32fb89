import { createProviders } from '../../../deploy/local/src/providers/server.ts'
import { startIngestion } from './start-ingestion.ts'

/** Our app at the messaging app's cloud. */
export const APP = { id: '670843887433847', secret: 'the-secret-of-our-app', config: '4711' }

/** The ingestion service beside the double of the messaging app's cloud, and what that was asked and is to do. */
export async function cloudIngestion() {
  const providers = createProviders()
  await providers.start()
  const ingestion = await startIngestion({
    CLOUD_API_URL: `${providers.url()}/cloud`,
    CLOUD_APP_ID: APP.id,
    CLOUD_APP_SECRET: APP.secret,
    CLOUD_CONFIG_ID: APP.config,
  })
  return {
    ...ingestion,
    async control(path: string, body?: object): Promise<any> {
      const answer = await fetch(`${providers.url()}/__control/${path}`, {
        ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      return answer.json()
    },
    async stop() {
      await ingestion.stop()
      await providers.stop()
    },
  }
}

export type CloudIngestion = Awaited<ReturnType<typeof cloudIngestion>>
