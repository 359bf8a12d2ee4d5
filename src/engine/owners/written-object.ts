import type { KserveService } from '../objects/inference-service.js';
import type { Workload } from '../objects/workload.js';

/**
 * An object of which a change may be reverted by others: a workload, or the object that people own above it.
 */
export type WrittenObject = Workload | KserveService;
