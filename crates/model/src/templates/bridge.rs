//! Templates of bridges and flying buttresses.

use super::Values;
use super::text::{foot, head, hints};

pub(super) fn bridge(values: &Values) -> String {
    let (spans, span, rise) = (values.number("spans"), values.number("span"), values.number("rise"));
    let (thickness, voussoirs) = (values.number("thickness"), values.number("voussoirs"));
    let (pier, height, cover) = (values.number("pier"), values.number("height"), values.number("cover"));
    let width = values.number("width");
    let road = rise + thickness + cover;
    let list: String = (0..spans as usize)
        .map(|_| {
            format!(
                "    {{ kind = \"segmental\", span = {span:?}, rise = {rise:?}, thickness = {thickness:?}, voussoirs = {voussoirs} }},\n"
            )
        })
        .collect();
    let piers = if spans > 1.0 {
        format!("piers = [{{ width = {pier:?}, height = {height:?}, courses = 6 }}]   # one table: for all piers\n")
    } else {
        String::new()
    };
    let across =
        if values.is_2d() { String::new() } else { format!("width = {width:?}                  # m, along y\n") };
    let spandrel = if values.is_2d() { "" } else { ", thickness = 0.5" };
    let body = format!(
        "# Voussoirs bridge.span[k].voussoir[i] from the left, stones bridge.pier[k].block[j] from below, bridge.backing[i].\n\
         # The supports are bridge.abutment[0], bridge.abutment[1] and bridge.pier[k].ground.\n\
         [[bodies]]\n\
         name = \"bridge\"\n\
         generator = \"bridge\"\n\
         material = \"stone\"\n\
         {across}\
         spans = [                    # semicircular, segmental, pointed, parabolic, three-centred or flat\n\
         {list}\
         ]\n\
         {piers}\
         abutments = {{ length = 2.0 }} # m; courses = … makes them of free blocks, wall = … adds end walls\n\
         backing = {backing:?}                # m above the springing\n\
         road = [[0.0, {road:?}]]        # m: points [x, level] from left to right\n\
         # spandrel = {{ course = 0.5, brick = 1.0{spandrel} }}\n\
         \n",
        backing = 0.5 * rise,
    );
    head(values, &format!("Bridge of {spans} spans"), width)
        + &body
        + &hints("bridge.voussoirs", "bridge.abutments", values)
        + &foot(values)
}

pub(super) fn flying_buttress(values: &Values) -> String {
    let (span, rise, thickness) = (values.number("span"), values.number("rise"), values.number("thickness"));
    let (voussoirs, width) = (values.number("voussoirs"), values.number("width"));
    let across =
        if values.is_2d() { String::new() } else { format!("width = {width:?}                  # m, along y\n") };
    let body = format!(
        "# Voussoirs flyer.voussoir[i] from the pier to the wall, stones flyer.pier.block[j] from below, flyer.pier.skewback,\n\
         # flyer.pier.pinnacle[j]. The supports are flyer.wall and flyer.ground.\n\
         [[bodies]]\n\
         name = \"flyer\"\n\
         generator = \"flying-buttress\"\n\
         material = \"stone\"\n\
         {across}\
         span = {span:?}                   # m, between pier and wall\n\
         rise = {rise:?}                   # m\n\
         thickness = {thickness:?}              # m\n\
         voussoirs = {voussoirs}\n\
         pier_width = {pier:?}             # m\n\
         pier_height = {height:?}            # m, from the foot to the springing\n\
         courses = 10\n\
         pinnacle = {pinnacle:?}               # m, above the skewback\n\
         # coping = [{coping:?}, 0.2]       # m above the extrados, at the pier and at the wall\n\
         \n",
        pier = values.number("pier"),
        height = values.number("height"),
        pinnacle = values.number("pinnacle"),
        coping = 0.75 * rise,
    );
    head(values, "Flying buttress", width) + &body + &hints("flyer.voussoirs", "flyer.wall", values) + &foot(values)
}
