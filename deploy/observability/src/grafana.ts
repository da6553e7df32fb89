// As much of Grafana's dashboard format as the dashboards need: rows of time series, two panels wide.

export type Unit = 'reqps' | 's' | 'percentunit' | 'short' | 'bytes'

export interface Panel {
  title: string
  unit: Unit
  /** What it shows, and from where on it is bad. */
  description?: string
  /** Expressions by legend; a legend may name labels: '{{route}}'. */
  series: Readonly<Record<string, string>>
}

export interface Row {
  title: string
  panels: readonly Panel[]
}

const COLUMNS = 2
const WIDTH = 24 / COLUMNS
const HEIGHT = 8
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }

/** A dashboard that asks whichever Prometheus is chosen at its top. */
export function dashboard(uid: string, title: string, rows: readonly Row[]): object {
  let y = 0
  let id = 0
  const panels = rows.flatMap(({ title, panels }) => {
    const header = {
      id: (id += 1),
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y: y++, w: 24, h: 1 },
      panels: [],
    }
    const shown = panels.map((panel, index) => {
      const gridPos = { x: (index % COLUMNS) * WIDTH, y: y + Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT }
      return timeSeries((id += 1), panel, gridPos)
    })
    y += Math.ceil(panels.length / COLUMNS) * HEIGHT
    return [header, ...shown]
  })
  return {
    uid,
    title,
    tags: ['delivery-dispatch'],
    schemaVersion: 39,
    editable: false,
    time: { from: 'now-3h', to: 'now' },
    refresh: '30s',
    templating: {
      list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus', hide: 0 }],
    },
    panels,
  }
}

function timeSeries(id: number, { title, unit, description, series }: Panel, gridPos: object): object {
  return {
    id,
    type: 'timeseries',
    title,
    ...(description && { description }),
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: {
      defaults: { unit, min: 0, custom: { lineWidth: 1, fillOpacity: 8, showPoints: 'never' } },
      overrides: [],
    },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: Object.entries(series).map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  }
}
