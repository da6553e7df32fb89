import { paging, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import { jobOf, jobStatus, normalizationJobList, retriedNormalizationJob } from '../../bodies/normalization.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Inbound hooks of all merchants'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/normalization-jobs',
    operationId: 'listNormalizationJobs',
    tag,
    summary: 'List what became of hooks that tell of orders, newest first',
    description:
      'One for each hook: the order that it became, or in `error` and `fields` why it became none. Begin one anew by `POST /v1/admin/normalization-jobs/{jobId}/retry`. Filter by merchant or status.',
    auth: admin('admin.normalization_jobs.read'),
    query: { ...paging(), merchant_id: uuid.optional(), status: jobStatus.optional() },
    replies: { 200: normalizationJobList },
    errors: [],
    async handle({ query }, services) {
      const jobs = await services.normalization.listNormalizationJobs(query)
      return reply(200, { ...jobs, items: jobs.items.map(jobOf) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/normalization-jobs/{jobId}/retry',
    operationId: 'retryNormalizationJob',
    tag,
    summary: 'Begin a job anew',
    description: 'It is pending again. One that has made what it tells of is not begun again.',
    auth: admin('admin.normalization_jobs.retry'),
    params: { jobId: uuid },
    replies: { 200: retriedNormalizationJob },
    errors: ['not_found', 'already_succeeded'],
    async handle({ params: { jobId: id } }, services) {
      const retried = await services.normalization.retryNormalizationJob({ id })
      return reply(200, { ok: true, normalization_job: jobOf(required(retried.normalization_job)) })
    },
  }),
]
