"""Loads an exported model and its results with the real COMPAS packages and compares the model with its source.

Arguments: the source file, the folder with model.json and results.json.
"""

import sys

import compas

source = compas.json_load(sys.argv[1])
model = compas.json_load(sys.argv[2] + "/model.json")
results = compas.json_load(sys.argv[2] + "/results.json")
assert type(model) is type(source), (type(model), type(source))
assert str(model.guid) == str(source.guid)


def describe(item):
    """Guids, names, nodes, supports, materials and coordinates of a model or an assembly."""
    item = getattr(item, "model", item) or item
    if hasattr(item, "elements"):
        rows = []
        for element in item.elements():
            material = element._material
            mesh = getattr(element, "_geometry", None)
            points = [mesh.vertex_coordinates(v) for v in mesh.vertices()] if mesh else []
            faces = [mesh.face_vertices(f) for f in mesh.faces()] if mesh else []
            rows.append((element.graphnode, str(element.guid), element.name, getattr(element, "is_support", None), material, points, faces))
        return sorted(rows, key=lambda row: row[0])
    rows = []
    for node in item.graph.nodes():
        block = item.graph.node_attribute(node, "block")
        points = [block.vertex_coordinates(v) for v in block.vertices()]
        rows.append((node, str(block.guid), block.name, item.graph.node_attribute(node, "is_support"), points))
    return rows


assert describe(model) == describe(source)
nodes = {row[0] for row in describe(source)}
assert set(results.nodes()) <= nodes
count = 0
for edge in results.edges():
    assert set(edge) <= nodes
    force, local, frame = results.resultant_global(edge), results.resultant_local(edge), results.contact_frame(edge)
    again = [sum(local[k] * axis[i] for k, axis in enumerate([frame.xaxis, frame.yaxis, frame.zaxis])) for i in range(3)]
    size = max(1.0, max(abs(x) for x in force))
    assert max(abs(a - b) for a, b in zip(force, again)) < 1e-9 * size, (force, again)
    contact = results.contact_data(edge)
    total = sum(item["c_np"] - item["c_nn"] for item in contact.forces)
    assert abs(total - local[2]) < 1e-9 * size
    assert len(results.gap(edge)) == len(results.contact_point(edge)) == len(contact.points)
    count += 1
assert count > 0
for node in results.nodes():
    assert results.transformation(node).matrix[3] == [0.0, 0.0, 0.0, 1.0]
print(f"{count} contacts, {len(nodes)} nodes")
