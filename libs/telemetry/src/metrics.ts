import type { Attributes } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { Gauges, type Observe } from './gauges.ts'
import type { Labels } from './labels.ts'

export interface Counter {
  add(value: number, labels?: Labels): void
}

export interface Histogram {
  record(value: number, labels?: Labels): void
}

const DURATION_BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

/** Collects when it is scraped and at no other time. */
class OnDemandReader extends MetricReader {
  protected override async onForceFlush() {}
  protected override async onShutdown() {}
}

const gauges = new Gauges()
const reader = new OnDemandReader({ metricProducers: [gauges] })
const meter = new MeterProvider({ readers: [reader] }).getMeter('svc')
const serializer = new PrometheusSerializer('', false, undefined, true, true)
const instruments = new Map<string, Counter | Histogram>()

function once<I extends Counter | Histogram>(name: string, create: () => I): I {
  const known = instruments.get(name)
  if (known) return known as I
  const created = create()
  instruments.set(name, created)
  return created
}

/** The instruments of this process; asking twice for one name gives the same instrument. */
export const metrics = {
  counter(name: string, help: string): Counter {
    return once(name, () => {
      const counter = meter.createCounter(name, { description: help })
      return { add: (value, labels) => counter.add(value, labels as Attributes) }
    })
  },

  histogram(name: string, help: string, bucketsMs: readonly number[] = DURATION_BUCKETS_MS): Histogram {
    return once(name, () => {
      const advice = { explicitBucketBoundaries: [...bucketsMs] }
      const histogram = meter.createHistogram(name, { description: help, advice })
      return { record: (value, labels) => histogram.record(value, labels as Attributes) }
    })
  },

  /** Asks `observe` at each scrape until the returned function is called; a failing one leaves out its values only. */
  gauge(name: string, help: string, observe: Observe): () => void {
    return gauges.add(name, help, observe)
  },
}

/** The metrics of this process as Prometheus text. */
export async function renderMetrics(): Promise<string> {
  const { resourceMetrics } = await reader.collect()
  return `${serializer.serialize(resourceMetrics)}\n`
}
