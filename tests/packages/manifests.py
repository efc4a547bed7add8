"""What the schemas do not say of the manifests. Usage: manifests.py FOLDER OPERATING.md VERSION SETTINGS-TO-WRITE
Prints the variables of the secret, without those that only their owner can know."""

import pathlib
import sys

import yaml

folder, guide, settings = (pathlib.Path(sys.argv[number]) for number in (1, 2, 4))
version = sys.argv[3]
found = [one for file in sorted(folder.glob('*.yaml')) for one in yaml.safe_load_all(file.read_text())]
kinds = {one['kind']: one for one in found}
assert len(kinds) == len(found), 'two of a kind'

pod = kinds['Deployment']['spec']['template']
spec, labels = pod['spec'], pod['metadata']['labels']
(container,) = spec['containers']
assert container['image'] == f'nil:{version}', f'the image is {container["image"]}, the program {version}'
ports = {port['name'] for port in container['ports']}

for kind, chosen in [
    ('Deployment', kinds['Deployment']['spec']['selector']['matchLabels']),
    ('Service', kinds['Service']['spec']['selector']),
    ('PodDisruptionBudget', kinds['PodDisruptionBudget']['spec']['selector']['matchLabels']),
    ('NetworkPolicy', kinds['NetworkPolicy']['spec']['podSelector']['matchLabels']),
]:
    assert chosen.items() <= labels.items(), f'{kind} chooses other pods'
named = [port['targetPort'] for port in kinds['Service']['spec']['ports']]
named += [container[probe]['httpGet']['port'] for probe in ('startupProbe', 'livenessProbe', 'readinessProbe')]
named += [port['port'] for rule in kinds['NetworkPolicy']['spec']['ingress'] for port in rule['ports']]
assert set(named) == ports, f'{set(named) ^ ports} are not the ports of the container'
assert container['livenessProbe']['httpGet']['path'] == '/healthz', 'a database that is away is no reason to kill servers'
assert container['readinessProbe']['httpGet']['path'] == '/readyz'
assert kinds['Deployment']['spec']['replicas'] > kinds['PodDisruptionBudget']['spec']['minAvailable'], 'no node can be emptied'
assert spec['securityContext']['runAsNonRoot'] and spec['securityContext']['runAsUser'] == 65532
assert container['securityContext']['readOnlyRootFilesystem'] and not container['securityContext']['allowPrivilegeEscalation']

text = kinds['ConfigMap']['data']['nil.toml']
settings.write_text(text)
(drain,) = [int(line.split('=')[1]) for line in text.splitlines() if line.startswith('drain_seconds')]
assert spec['terminationGracePeriodSeconds'] > drain + 30, 'servers are killed before they have drained'
failing = container['readinessProbe']['periodSeconds'] * container['readinessProbe']['failureThreshold']
assert drain > failing, 'the listeners close before anybody has seen that the server leaves'

for name, value in kinds['Secret']['stringData'].items():
    assert f'`{name}`' in guide.read_text(), f'{name} is no setting of nil'
    if name != 'NIL_SECRET_KEY':
        print(f"{name}='{value}'")
