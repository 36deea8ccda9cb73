import type { CollectorFile, Components, PipelineSignal } from '../collector-file/file.ts';
import type { Finding } from '../errors.ts';
import { supportedSignals } from './supported-signals.ts';

/** `type` or `type/name` (confmap: a type of letters, digits and `_`, a name without spaces). */
const componentId = /^[a-zA-Z][0-9a-zA-Z_]{0,62}(\/[^\s/\p{C}\p{S}]{1,1024})?$/u;
const pipelineId = /^(traces|metrics|logs|profiles)(\/[^\s/\p{C}\p{S}]{1,1024})?$/u;

const roles = [
  ['receivers', 'receiver'],
  ['processors', 'processor'],
  ['exporters', 'exporter'],
] as const;

/** Check what the parts of a file say of each other. */
export function checkStructure(file: CollectorFile): readonly Finding[] {
  return [...checkIds(file), ...checkPipelines(file), ...checkUse(file), ...checkExtensions(file)];
}

function checkIds(file: CollectorFile): Finding[] {
  const sections = ['extensions', 'receivers', 'processors', 'exporters'] as const;
  return sections.flatMap((section) =>
    Object.keys(file[section]).flatMap((id) =>
      componentId.test(id)
        ? []
        : [{ field: `${section}.${id}`, reason: 'is no id of a component (type or type/name)' }],
    ),
  );
}

function checkPipelines(file: CollectorFile): Finding[] {
  const findings: Finding[] = [];
  for (const [name, pipeline] of Object.entries(file.service.pipelines)) {
    const field = `service.pipelines.${name}`;
    const [, signal] = pipelineId.exec(name) ?? [];
    if (signal === undefined) {
      findings.push({ field, reason: 'is no id of a pipeline (signal or signal/name)' });
      continue;
    }
    if (pipeline.receivers.length === 0) findings.push({ field, reason: 'receives nothing' });
    if (pipeline.exporters.length === 0) findings.push({ field, reason: 'leads nowhere' });
    if (pipeline.processors.length > 0 && pipeline.processors[0] !== 'memory_limiter') {
      findings.push({ field, reason: 'memory_limiter has to come first' });
    }
    for (const [list, role] of roles) {
      for (const id of pipeline[list]) {
        findings.push(...checkMember(file[list], { id, role, field, signal }));
      }
    }
  }
  return findings;
}

function checkMember(
  defined: Components,
  { id, role, field, signal }: Record<'id' | 'role' | 'field' | 'signal', string>,
): Finding[] {
  if (!Object.hasOwn(defined, id)) {
    return [{ field, reason: `names the ${role} ${id}, which is not defined` }];
  }
  const type = id.split('/', 1)[0] ?? '';
  const takes = supportedSignals[`${role}/${type}`];
  if (takes === undefined) return [{ field, reason: `the ${role} ${type} is not known` }];
  if (takes.includes(signal as PipelineSignal)) return [];
  return [{ field, reason: `the ${role} ${type} takes ${takes.join(', ')}, not ${signal}` }];
}

/** What no pipeline names would not be started. */
function checkUse({ service, ...file }: CollectorFile): Finding[] {
  return roles.flatMap(([list, role]) => {
    const used = new Set(Object.values(service.pipelines).flatMap((each) => each[list]));
    return Object.keys(file[list]).flatMap((id) =>
      used.has(id) ? [] : [{ field: `${list}.${id}`, reason: `no pipeline uses this ${role}` }],
    );
  });
}

function checkExtensions({ extensions, service, exporters }: CollectorFile): Finding[] {
  const started = new Set(service.extensions);
  const undefinedOnes = service.extensions.filter((id) => !Object.hasOwn(extensions, id));
  const idle = Object.keys(extensions).filter((id) => !started.has(id));
  const stores = Object.entries(exporters).flatMap(([id, settings]) => {
    const { storage } = (settings['sending_queue'] ?? {}) as { readonly storage?: string };
    if (storage === undefined || started.has(storage)) return [];
    return [
      { field: `exporters.${id}`, reason: `keeps its queue in ${storage}, which is not started` },
    ];
  });
  return [
    ...undefinedOnes.map((id) => ({ field: 'service.extensions', reason: `${id} is not defined` })),
    ...idle.map((id) => ({ field: `extensions.${id}`, reason: 'is not started' })),
    ...stores,
  ];
}
