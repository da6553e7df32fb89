import { ValueType } from '@opentelemetry/api'
import { emptyResource } from '@opentelemetry/resources'
import {
  type CollectionResult,
  DataPointType,
  type GaugeMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { Labels } from './labels.ts'

type Observation = number | ReadonlyArray<{ value: number; labels: Labels }>
export type Observe = () => Observation | Promise<Observation>

interface Gauge {
  help: string
  observers: Set<Observe>
}

const OBSERVE_TIMEOUT_MS = 2_000

/**
 * Gauges that are asked at each scrape. The SDK's own observable gauges keep telling the last value of a label set that
 * is observed no more (a shard that moved to another replica); these forget it.
 */
export class Gauges implements MetricProducer {
  readonly #gauges = new Map<string, Gauge>()

  add(name: string, help: string, observe: Observe): () => void {
    const gauge = this.#gauges.get(name) ?? { help, observers: new Set() }
    this.#gauges.set(name, gauge)
    gauge.observers.add(observe)
    return () => {
      gauge.observers.delete(observe)
    }
  }

  async collect(): Promise<CollectionResult> {
    const errors: unknown[] = []
    const all = [...this.#gauges].map(([name, gauge]) => observed(name, gauge, errors))
    const metrics = (await Promise.all(all)).filter(({ dataPoints }) => dataPoints.length > 0)
    return {
      resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: 'svc' }, metrics }] },
      errors,
    }
  }
}

async function observed(name: string, { help, observers }: Gauge, errors: unknown[]): Promise<GaugeMetricData> {
  const results = await Promise.allSettled([...observers].map(inTime))
  const points = results.flatMap((result) => {
    if (result.status === 'fulfilled') {
      return typeof result.value === 'number' ? [{ value: result.value, labels: {} }] : result.value
    }
    errors.push(result.reason)
    return []
  })
  return {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    dataPointType: DataPointType.GAUGE,
    dataPoints: points.map(({ value, labels }) => ({ value, attributes: labels, startTime: [0, 0], endTime: [0, 0] })),
  } as GaugeMetricData
}

async function inTime(observe: Observe): Promise<Observation> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('a gauge did not answer in time')), OBSERVE_TIMEOUT_MS)
  try {
    return await Promise.race([observe(), late])
  } finally {
    clearTimeout(timer)
  }
}
