import type { Json, JsonSchema } from '#contract/json';

/** A document that `specs/schemas/workflow.schema.json` accepts (Arazzo 1.0.1). */
export interface WorkflowFile {
  readonly info: { readonly title: string; readonly version: string };
  readonly sourceDescriptions: readonly RawSource[];
  readonly workflows: readonly RawWorkflow[];
  readonly components?: unknown;
}

export interface RawSource {
  readonly name: string;
  readonly url: string;
  readonly type?: 'openapi' | 'arazzo';
}

export interface RawWorkflow {
  readonly workflowId: string;
  readonly summary: string;
  readonly description?: string;
  readonly inputs?: JsonSchema;
  readonly steps: readonly RawStep[];
  readonly successActions?: readonly RawAction[];
  readonly failureActions?: readonly RawAction[];
  readonly outputs?: Readonly<Record<string, string>>;
  readonly parameters?: readonly RawParameter[];
  readonly dependsOn?: unknown;
}

export interface RawStep {
  readonly stepId: string;
  readonly description?: string;
  readonly operationId?: string;
  readonly operationPath?: unknown;
  readonly workflowId?: string;
  readonly parameters?: readonly RawParameter[];
  readonly requestBody?: {
    readonly payload: { readonly [name: string]: Json };
    readonly replacements?: unknown;
  };
  readonly successCriteria?: readonly RawCriterion[];
  readonly onSuccess?: readonly RawAction[];
  readonly onFailure?: readonly RawAction[];
  readonly outputs?: Readonly<Record<string, string>>;
  readonly 'x-approval'?: string;
}

export interface RawParameter {
  readonly name?: string;
  readonly in?: string;
  readonly value?: Json;
  readonly reference?: unknown;
}

export interface RawCriterion {
  readonly context?: string;
  readonly condition: string;
  readonly type?: unknown;
}

export interface RawAction {
  readonly name?: string;
  readonly type?: 'end' | 'goto' | 'retry';
  readonly workflowId?: unknown;
  readonly stepId?: string;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly retryLimit?: number;
  readonly criteria?: readonly RawCriterion[];
  readonly reference?: unknown;
  readonly 'x-limit'?: number;
}
