import { X509Certificate } from 'node:crypto'
import { metrics } from '@svc/telemetry'

/** Of the certificate that both ends of all links of this process show; unix time in milliseconds. */
let endsAt: number | undefined

metrics.gauge(
  'tls_certificate_ends_seconds',
  'Until the certificate ends by which this process says who it is; less than 0 once it has.',
  () => (endsAt === undefined ? [] : (endsAt - Date.now()) / 1_000),
)

/** Notes which certificate is shown from now on; PEM, its own first. */
export function noteShown(certificate: Buffer): void {
  endsAt = new X509Certificate(certificate).validToDate.getTime()
}
