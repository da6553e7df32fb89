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

/** In seconds, the unit in which Prometheus and ready dashboards expect every duration. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

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
  /** Sets of labels that are known beforehand are shown as 0 from the start: an increase from nothing would not be one. */
  counter(name: string, help: string, known: readonly Labels[] = []): Counter {
    return once(name, () => {
      const counter = meter.createCounter(name, { description: help })
      for (const labels of known) counter.add(0, labels as Attributes)
      return { add: (value, labels) => counter.add(value, labels as Attributes) }
    })
  },

  /** What only grows and is known elsewhere: asked at each scrape. */
  total(name: string, help: string, observe: () => number): void {
    once(name, () => {
      const counter = meter.createObservableCounter(name, { description: help })
      counter.addCallback((result) => result.observe(observe()))
      return { add: () => undefined }
    })
  },

  /** Of seconds, unless it has buckets of its own. */
  histogram(name: string, help: string, buckets: readonly number[] = DURATION_BUCKETS): Histogram {
    return once(name, () => {
      const advice = { explicitBucketBoundaries: [...buckets] }
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
