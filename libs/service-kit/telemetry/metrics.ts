import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  openMetricsContentType,
  Registry,
} from 'prom-client';
import { release } from './release.ts';
import type { TraceContext } from './request-context.ts';

type Named<Label extends string> = { readonly name: string; readonly help: string; readonly labels?: readonly Label[] };

export type GaugeOptions<Label extends string> = Named<Label> & {
  readonly collect?: (gauge: Gauge<Label>) => void | Promise<void>;
};
export type HistogramOptions<Label extends string> = Named<Label> & { readonly buckets: readonly number[] };

type Answer = {
  readonly method: string;
  /** Its template. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
};

/** A scrape must be answered while a dependency hangs, or no alert would fire. */
const collectWithinMs = 500;

type MetricsOptions = { readonly hasProcessMetrics?: boolean; readonly collectWithinMs?: number };

export class Metrics {
  /** As OpenMetrics, the one format that carries traces beside figures. */
  readonly registry = new Registry<OpenMetricsContentType>();
  private readonly httpSeconds: Histogram<'method' | 'route' | 'status' | 'trace_id'>;
  private readonly observers = new Map<string, (seconds: number) => void>();
  private readonly collectWithinMs: number;

  constructor(service: string, options: MetricsOptions = {}) {
    this.collectWithinMs = options.collectWithinMs ?? collectWithinMs;
    this.registry.setContentType(openMetricsContentType);
    this.registry.setDefaultLabels({ service });
    if (options.hasProcessMetrics ?? true) collectDefaultMetrics({ register: this.registry });
    this.gauge({
      name: 'caravan_release_info',
      help: 'Always 1: which version runs here, on which Node.',
      labels: ['version', 'node'],
      collect: (gauge) => gauge.set(release, 1),
    });
    this.httpSeconds = new Histogram({
      name: 'caravan_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer, by route template.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.registry],
      enableExemplars: true,
    });
  }

  /** With the trace, where it is recorded: the latest of each bucket can be opened from a dashboard. */
  observeHttp(answer: Answer, trace?: TraceContext): void {
    const { method, route, status, seconds } = answer;
    if (trace?.span && trace.isSampled) {
      const labels = { method, route, status: String(status) };
      const exemplarLabels = { trace_id: trace.traceId };
      return this.httpSeconds.observe({ labels, value: seconds, exemplarLabels });
    }
    const key = `${method} ${route} ${status}`;
    let observe = this.observers.get(key);
    if (!observe) {
      const child = this.httpSeconds.labels({ method, route, status: String(status) });
      observe = (value) => child.observe(value);
      this.observers.set(key, observe);
    }
    observe(seconds);
  }

  /**
   * `caravan_…` with the unit last: `caravan_outbox_age_seconds`. A second one of a name throws. A value that cannot be
   * collected, or not in time, is missing from that scrape.
   */
  gauge<Label extends string = string>({ name, help, labels = [], collect }: GaugeOptions<Label>): Gauge<Label> {
    const registers = [this.registry];
    const deadlineMs = this.collectWithinMs;
    return new Gauge<Label>({
      name,
      help,
      labelNames: labels,
      registers,
      ...(collect && {
        collect() {
          return collectInTime(this, () => collect(this), deadlineMs);
        },
      }),
    });
  }

  counter<Label extends string = string>(name: string, help: string, labels: readonly Label[] = []): Counter<Label> {
    return new Counter<Label>({ name, help, labelNames: labels, registers: [this.registry] });
  }

  histogram<Label extends string = string>(options: HistogramOptions<Label>): Histogram<Label> {
    const { name, help, labels = [], buckets } = options;
    return new Histogram<Label>({ name, help, labelNames: labels, buckets: [...buckets], registers: [this.registry] });
  }
}

async function collectInTime<Label extends string>(
  gauge: Gauge<Label>,
  collect: () => void | Promise<void>,
  deadlineMs: number,
): Promise<void> {
  const deadline = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => deadline.resolve('late'), deadlineMs);
  try {
    if ((await Promise.race([collect(), deadline.promise])) === 'late') dropValues(gauge);
  } catch {
    dropValues(gauge);
  } finally {
    clearTimeout(timer);
  }
}

function dropValues<Label extends string>(gauge: Gauge<Label>): void {
  gauge.reset();
  // A reset sets a gauge without labels to 0, which would be a claim. Removing no labels removes that value alone.
  gauge.remove({});
}
