import { parentPort } from "node:worker_threads";
import { entityCatalog } from "../../detectors/catalog.ts";

const data = entityCatalog.map(({ entityType, label, category, description }) => ({
  entity_type: entityType,
  label,
  category,
  description,
}));
parentPort?.postMessage(JSON.stringify({ data }));
