import * as z from 'zod'

/** The header with which a rider's log-in asks for the sandbox. */
export const environment = {
  'x-service-environment': z.string().optional().meta({ description: '`test`: the sandbox, which sends no messages' }),
}

/** Whether the sandbox was asked for; any other word means the live path. */
export const isSandbox = (headers: { 'x-service-environment'?: string | undefined }): boolean =>
  headers['x-service-environment'] === 'test'
