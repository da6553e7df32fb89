import * as z from 'zod'
import { CAPTURE_CONFIG } from '../http/limits.ts'
import { publicly, reply, route } from '../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/system/capture-config',
    operationId: 'getCaptureConfig',
    tag: 'System',
    summary: 'Read how the capture app shall behave',
    description: 'The packages that it may read and the key by which it verifies are told while it is enabled.',
    auth: publicly(...CAPTURE_CONFIG),
    replies: {
      200: z.object({
        ota_capture: z.object({ enabled: z.boolean() }),
        package_allowlist: z.array(z.string()).optional(),
        public_key: z.string().optional(),
      }),
    },
    errors: [],
    async handle(_input, services) {
      const { enabled, package_allowlist, public_key } = await services.system.getCaptureConfig({})
      const body = { ota_capture: { enabled }, ...(enabled && { package_allowlist, public_key }) }
      return reply(200, body, { 'Cache-Control': 'public, max-age=60' })
    },
  }),
]
